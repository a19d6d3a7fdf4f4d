#include <algorithm>
#include <utility>

#include "bocs/base/error.hpp"
#include "bocs/space/syntax.hpp"

namespace bocs {
namespace {

constexpr int kDeepest = 64;  // brackets, negations, factors and powers in each other: trees are read by recursion
constexpr std::size_t kShown = 200;  // of a text in messages

struct Token {
  enum class Kind { number, word, name, quoted, symbol, end };
  Kind kind = Kind::end;
  std::size_t at = 0;
  std::string text = {};
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Letters of any language, too: bytes above 127 belong to them.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 128;
}
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Lexer {
 public:
  explicit Lexer(const std::string& text) : text_(text) {}

  Token next() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    const std::size_t begin = at_;
    if (at_ == text_.size()) return {Token::Kind::end, begin};
    const char c = text_[at_];
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
    if (is_letter(c)) {
      while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
      return with_index({Token::Kind::word, begin, text_.substr(begin, at_ - begin)});
    }
    if (c == '`') return with_index({Token::Kind::name, begin, enclosed('`', "a backquote")});
    if (c == '\'' || c == '"') return {Token::Kind::quoted, begin, enclosed(c, "a quote")};
    for (const char* symbol : {"**", "<=", ">=", "==", "!="}) {
      if (text_.compare(at_, 2, symbol) == 0) {
        at_ += 2;
        return {Token::Kind::symbol, begin, symbol};
      }
    }
    if (std::string_view("+-*/%<>=(){},;").find(c) == std::string_view::npos) {
      refuse_rule(text_, begin, std::string("found '") + c + "', which means nothing here");
    }
    ++at_;
    return {Token::Kind::symbol, begin, std::string(1, c)};
  }

 private:
  /// "12", "0.5", "1e-3"; what goes on with letters is a word, such as a level called 3x.
  Token number() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      std::size_t end = at_ + 1;
      if (end < text_.size() && (text_[end] == '+' || text_[end] == '-')) ++end;
      const std::size_t digits = end;
      while (end < text_.size() && is_digit(text_[end])) ++end;
      if (end > digits) at_ = end;
    }
    const bool is_word = at_ < text_.size() && is_letter(text_[at_]);
    while (is_word && at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    const std::string text = text_.substr(begin, at_ - begin);
    if (!is_word && std::count(text.begin(), text.end(), '.') > 1) {
      refuse_rule(text_, begin, "'" + text + "' is no number; a level that is called so goes in quotes");
    }
    return {is_word ? Token::Kind::word : Token::Kind::number, begin, text};
  }

  /// The name of an element, when an index follows at once: station[3], f[mean radius].
  Token with_index(Token token) {
    if (at_ == text_.size() || text_[at_] != '[') return token;
    const auto end = text_.find(']', at_);
    if (end == std::string::npos) refuse_rule(text_, at_, "'[' is opened and never closed");
    std::size_t first = at_ + 1, last = end;
    while (first < last && is_space(text_[first])) ++first;
    while (first < last && is_space(text_[last - 1])) --last;
    token.kind = Token::Kind::name;
    token.text += "[" + text_.substr(first, last - first) + "]";
    at_ = end + 1;
    return token;
  }

  /// What stands between two quotes; a quote inside is doubled.
  std::string enclosed(char quote, const char* what) {
    const std::size_t begin = at_++;
    std::string inside;
    for (;; ++at_) {
      if (at_ == text_.size()) refuse_rule(text_, begin, std::string(what) + " is opened and never closed");
      if (text_[at_] == quote) {
        if (at_ + 1 == text_.size() || text_[at_ + 1] != quote) break;
        ++at_;
      }
      inside += text_[at_];
    }
    ++at_;
    return inside;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text), lexer_(text) { advance(); }

  std::vector<Syntax> rules() {
    std::vector<Syntax> list;
    do {
      list.push_back(rule());
    } while (accept(";") && token_.kind != Token::Kind::end);
    if (token_.kind != Token::Kind::end) fail("found " + found() + " where the rule should end");
    return list;
  }

 private:
  using Kind = Syntax::Kind;

  void advance() { token_ = lexer_.next(); }
  [[noreturn]] void fail(const std::string& why) const { refuse_rule(text_, token_.at, why); }
  [[nodiscard]] std::string found() const {
    return token_.kind == Token::Kind::end ? "the end" : "'" + token_.text + "'";
  }
  [[nodiscard]] bool is_symbol(std::string_view symbol) const {
    return token_.kind == Token::Kind::symbol && token_.text == symbol;
  }
  [[nodiscard]] bool is_keyword(std::string_view word) const {
    return token_.kind == Token::Kind::word && token_.text == word;
  }
  bool accept(std::string_view symbol) {
    if (!is_symbol(symbol) && !is_keyword(symbol)) return false;
    advance();
    return true;
  }
  void expect(std::string_view symbol) {
    if (!accept(symbol)) fail("found " + found() + "; allowed here: " + std::string(symbol));
  }

  /// Guards a function that calls itself.
  struct Deeper {
    explicit Deeper(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kDeepest) parser_.fail("nested more than " + std::to_string(kDeepest) + " deep");
    }
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    Parser& parser_;
  };

  Syntax rule() {
    const std::size_t at = token_.at;
    if (!accept("if")) return condition();
    Syntax result{Kind::implication, at};
    result.children.push_back(condition());
    expect("then");
    result.children.push_back(condition());
    return result;
  }

  Syntax condition() {
    const Deeper deeper(*this);
    return joined("or", Kind::disjunction,
                  [this] { return joined("and", Kind::conjunction, [this] { return negation(); }); });
  }

  template <class Part>
  Syntax joined(const char* word, Kind kind, Part part) {
    Syntax first = part();
    if (!is_keyword(word)) return first;
    Syntax result{kind, first.at};
    result.children.push_back(std::move(first));
    while (accept(word)) result.children.push_back(part());
    return result;
  }

  Syntax negation() {
    const std::size_t at = token_.at;
    if (!accept("not")) return comparison();
    const Deeper deeper(*this);
    Syntax result{Kind::negation, at};
    result.children.push_back(negation());
    return result;
  }

  Syntax comparison() {
    Syntax first = sum();
    const bool negated = is_keyword("not");
    if (negated) advance();
    if (negated || is_keyword("in")) {
      expect("in");
      Syntax result{Kind::membership, first.at, negated ? "not in" : "in"};
      result.children.push_back(std::move(first));
      expect("{");
      do {
        result.children.push_back(sum());
      } while (accept(","));
      expect("}");
      return result;
    }
    Syntax result{Kind::comparison, first.at};
    for (const char* relation = this->relation(); relation != nullptr; relation = this->relation()) {
      advance();
      if (result.children.empty()) result.children.push_back(std::move(first));
      result.relations.emplace_back(relation);
      result.children.push_back(sum());
    }
    return result.children.empty() ? first : result;
  }

  /// The relation that stands here.
  [[nodiscard]] const char* relation() const {
    if (is_symbol("=")) return "==";
    for (const char* relation : {"<=", ">=", "==", "!=", "<", ">"}) {
      if (is_symbol(relation)) return relation;
    }
    return nullptr;
  }

  Syntax sum() {
    Syntax first = term();
    if (!is_symbol("+") && !is_symbol("-")) return first;
    Syntax result{Kind::sum, first.at};
    result.children.push_back(std::move(first));
    while (is_symbol("+") || is_symbol("-")) {
      const std::size_t at = token_.at;
      const bool minus = is_symbol("-");
      advance();
      Syntax part = term();
      result.children.push_back(minus ? Syntax{Kind::negative, at, "", {std::move(part)}} : std::move(part));
    }
    return result;
  }

  Syntax term() {
    Syntax left = factor();
    for (int factors = 1; is_symbol("*") || is_symbol("/") || is_symbol("%"); ++factors) {
      if (factors == kDeepest) fail("more than " + std::to_string(kDeepest) + " factors");
      left = operation(std::move(left), [this] { return factor(); });
    }
    return left;
  }

  template <class Right>
  Syntax operation(Syntax left, Right right) {
    Syntax result{Kind::product, token_.at, token_.text};
    advance();
    result.children.push_back(std::move(left));
    result.children.push_back(right());
    return result;
  }

  /// As in Python: -2**2 == -4, 2**-1 == 1/2, 2**3**2 == 512.
  Syntax factor() {
    const Deeper deeper(*this);
    const std::size_t at = token_.at;
    if (accept("-")) return {Kind::negative, at, "", {factor()}};
    if (accept("+")) return factor();
    Syntax base = atom();
    return is_symbol("**") ? operation(std::move(base), [this] { return factor(); }) : base;
  }

  Syntax atom() {
    const Token token = token_;
    switch (token.kind) {
      case Token::Kind::number:
        advance();
        return {Kind::number, token.at, token.text};
      case Token::Kind::quoted:
        advance();
        return {Kind::quoted, token.at, token.text};
      case Token::Kind::name:
        advance();
        return {Kind::name, token.at, token.text};
      case Token::Kind::word:
        for (const char* keyword : {"and", "or", "not", "if", "then", "in"}) {
          if (token.text == keyword) fail("found " + found() + "; allowed here: a number, a name, or '('");
        }
        advance();
        if (is_symbol("(")) return {Kind::call, token.at, token.text, arguments()};
        return {Kind::word, token.at, token.text};
      default:
        if (!is_symbol("(")) fail("found " + found() + "; allowed here: a number, a name, or '('");
        Syntax inside{Kind::tuple, token.at, "", arguments()};
        if (inside.children.empty()) refuse_rule(text_, token.at, "the brackets are empty");
        if (inside.children.size() > 1) return inside;
        Syntax only = std::move(inside.children.front());
        return only;
    }
  }

  std::vector<Syntax> arguments() {
    expect("(");
    std::vector<Syntax> list;
    if (accept(")")) return list;
    do {
      list.push_back(condition());
    } while (accept(","));
    expect(")");
    return list;
  }

  const std::string& text_;
  Lexer lexer_;
  Token token_;
  int depth_ = 0;
};

}  // namespace

std::vector<Syntax> parse_rules(const std::string& text) { return Parser(text).rules(); }

void refuse_rule(const std::string& text, std::size_t at, const std::string& why) {
  const auto characters =
      std::count_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(at, text.size())),
                    [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  std::size_t shown = text.size();
  if (shown > kShown) {
    shown = kShown;
    while ((static_cast<unsigned char>(text[shown]) & 0xC0) == 0x80) --shown;
  }
  throw InvalidArgument("rule '" + text.substr(0, shown) + (shown < text.size() ? "..." : "") + "', column " +
                        std::to_string(characters + 1) + ": " + why);
}

}  // namespace bocs
