#pragma once
// The text of a rule, or of a condition (`when`), as a tree. What its names mean is decided in rule/resolver.cpp.
//
//   rules      = rule { ";" rule }                       rule     = condition | "if" condition "then" condition
//   condition  = conjunct { "or" conjunct }              conjunct = negation { "and" negation }
//   negation   = "not" negation | comparison
//   comparison = sum { relation sum } | sum [ "not" ] "in" "{" value { "," value } "}"
//   relation   = "<=" | "<" | "==" | "=" | "!=" | ">=" | ">"
//   sum        = [ "-" ] term { ( "+" | "-" ) term }     term     = factor { ( "*" | "/" | "%" ) factor }
//   factor     = [ "-" ] atom [ "**" factor ]
//   atom       = number | name | quoted | word "(" [ condition { "," condition } ] ")" | "(" condition { "," condition
//   } ")" name       = ( word | "`" text "`" ) [ "[" text "]" ]

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace bocs {

struct Syntax {
  enum class Kind {
    number,       // text: as written
    word,         // text: the name of a variable, or a level
    name,         // text: the name of a variable, for it has an index or backquotes
    quoted,       // text: a level
    call,         // text: the function; children: its arguments
    negative,     // -child
    sum,          // children are added
    product,      // text "*", "/", "%" or "**"; two children
    comparison,   // children, with relations between them
    membership,   // text "in" or "not in"; the first child in the set of the others
    tuple,        // (a, b)
    negation,     // not child
    conjunction,  // and
    disjunction,  // or
    implication,  // if the first child then the second
  };

  Kind kind = Kind::number;
  std::size_t at = 0;  // where it begins in the text, in bytes
  std::string text = {};
  std::vector<Syntax> children = {};
  std::vector<std::string> relations = {};
};

inline bool is_name(const Syntax& s) { return s.kind == Syntax::Kind::word || s.kind == Syntax::Kind::name; }
/// The text of a level: a number, perhaps negative, a quoted text, or a word.
std::optional<std::string> level_text(const Syntax& s);

/// The rules of a text, one or more. Throws InvalidArgument: "rule 'TEXT', column 3: what is wrong".
std::vector<Syntax> parse_rules(const std::string& text);

/// Throws InvalidArgument in that form. `at` counts bytes; people are told characters.
[[noreturn]] void refuse_rule(const std::string& text, std::size_t at, const std::string& why);

/// The extension point for functions on structured variables, such as position(a) or before(a, b): what a call with
/// these arguments means, as a text of the language over the variables of the space, such as "`route: a` + 1" or
/// "`route: a` < `route: b`"; nothing for a function it does not know. The text stands in the rule as if in brackets,
/// so it may be a sum, a condition, or a name that is then compared with levels. It throws InvalidArgument for
/// arguments that make no sense; the message gets the place of the call. It cannot redefine sum, count, all, any,
/// all_different.
using CallMeaning =
    std::function<std::optional<std::string>(const std::string& function, const std::vector<std::string>& arguments)>;

/// Puts in what the functions of structured variables mean.
void expand_calls(const std::string& text, Syntax& rule, const CallMeaning& meaning);

}  // namespace bocs
