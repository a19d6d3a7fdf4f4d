#include "help.hpp"

#include <fmt/core.h>

#include <sstream>

#include "bocs/base/text.hpp"
#include "bocs/version.hpp"

namespace bocs::cli {
namespace {

constexpr const char* kExitCodes[][2] = {
    {"0", "done"},
    {"1", "bocs ask: nothing is left, the budget is used up or every point has been tried"},
    {"64", "wrong usage"},
    {"65", "bad data: a mistake in a study file, a CSV file or a point"},
    {"69", "something needed is not there: a database, a file, a program that cannot be started"},
    {"70", "an internal error of bocs: please report it"},
    {"74", "the output could not be written"},
    {"75", "bocs ask: nothing for now, all that is left runs elsewhere or the study is paused"},
    {"78", "the objective does nothing but fail"},
    {"130", "interrupted"},
};

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// Options with their names: "-q", "--quiet".
std::vector<std::string> option_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const auto& name : option.get_snames()) names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

/// All that may stand after a command.
std::string words_after(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::App* sub : commands_of(command)) words.push_back(sub->get_name());
  for (const CLI::Option* option : command.get_options()) {
    for (const auto& name : option_names(*option)) words.push_back(name);
  }
  return joined(words, " ");
}

std::string single_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// Text of ours as man(7) reads it: no line begins a request, and hyphens stay hyphens.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      if ((result.empty() || result.back() == '\n') && (c == '.' || c == '\'')) result += "\\&";
      result += c;
    }
  }
  return result;
}

/// A description: paragraphs as they are, what is indented in it as an example.
std::string roff_paragraphs(const std::string& text) {
  std::string result;
  bool example = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool indented = line.starts_with("  ");
    if (indented != example) result += indented ? ".nf\n" : ".fi\n";
    example = indented;
    result += line.empty() ? (example ? "\n" : ".PP\n") : roff(line) + "\n";
  }
  return result + (example ? ".fi\n" : "");
}

std::string man_of(const CLI::App& command, const std::string& path) {
  std::string text = ".SS " + roff(path) + "\n" + roff_paragraphs(command.get_description());
  for (const CLI::Option* option : command.get_options()) {
    const auto names = option_names(*option);
    const std::string name = names.empty() ? option->get_name() : joined(names, ", ");
    if (name == "-h, --help") continue;
    const std::string type = option->get_type_size() == 0 ? "" : option->get_type_name();
    text += ".TP\n\\fB" + roff(name) + "\\fR " + roff(type) + "\n" + roff(option->get_description()) + "\n";
  }
  for (const CLI::App* sub : commands_of(command)) text += man_of(*sub, path + " " + sub->get_name());
  return text;
}

/// "experiment run", "run", ...: what may precede options, with its options.
void add_paths(const CLI::App& command, const std::string& path,
               std::vector<std::pair<std::string, const CLI::App*>>& out) {
  for (const CLI::App* sub : commands_of(command)) {
    const std::string name = path.empty() ? sub->get_name() : path + " " + sub->get_name();
    add_paths(*sub, name, out);
    out.emplace_back(name, sub);
  }
}

constexpr const char* kAboutCompletion = R"(Prints what a shell needs to complete the commands and options of bocs:

  bocs completion bash > ~/.local/share/bash-completion/completions/bocs
  bocs completion zsh > ~/.zfunc/_bocs            (with fpath+=~/.zfunc before compinit in ~/.zshrc))";

constexpr const char* kAboutMan = R"(Prints the manual page, made from the commands themselves:

  bocs man | man -l -
  bocs man > /usr/local/share/man/man1/bocs.1)";

}  // namespace

void add_group(CLI::App& app, const std::string& group, const std::vector<std::function<void(CLI::App&)>>& commands) {
  for (const auto& add : commands) {
    const auto before = commands_of(app).size();
    add(app);
    const auto all = app.get_subcommands([](CLI::App*) { return true; });
    for (std::size_t i = before; i < all.size(); ++i) all[i]->group(group);
  }
}

std::string overview(const CLI::App& app) {
  std::string text = app.get_description() + "\n";
  std::string group;
  for (const CLI::App* command : commands_of(app)) {
    if (command->get_group().empty()) continue;
    if (command->get_group() != group) text += fmt::format("\n{}\n", group = command->get_group());
    text += fmt::format("  {:<11} {}\n", command->get_name(), summary_of(*command));
  }
  return text +
         "\nbocs COMMAND --help; also: pause, resume, delete, backup, upgrade, evaluate,\n  instance, completion, "
         "man\n";
}

std::string bash_completion(const CLI::App& app) {
  std::vector<std::pair<std::string, const CLI::App*>> paths;
  add_paths(app, "", paths);
  std::string text = "# bocs " + std::string(version()) + ": completion of commands and options for bash\n_bocs() {\n";
  text += "  local words=" + single_quoted(words_after(app)) + " path= i\n";
  text += "  for ((i = 1; i < COMP_CWORD; ++i)); do\n    [[ ${COMP_WORDS[i]} == -* ]] && continue\n";
  text += "    case \"$path ${COMP_WORDS[i]}\" in\n";
  for (const auto& [path, command] : paths) {
    text += "      " + single_quoted(" " + path) + ") path=" + single_quoted(" " + path) +
            "; words=" + single_quoted(words_after(*command)) + " ;;\n";
  }
  text += "    esac\n  done\n";
  text += "  COMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n}\n";
  return text + "complete -o default -F _bocs bocs\n";
}

std::string zsh_completion(const CLI::App& app) {
  std::vector<std::pair<std::string, const CLI::App*>> paths;
  add_paths(app, "", paths);
  std::string text = "#compdef bocs\n# bocs " + std::string(version()) + ": completion for zsh\n_bocs() {\n";
  text += "  local -a words_here=(" + words_after(app) + ")\n  local path_here= word\n";
  text += "  for word in ${words[2,CURRENT-1]}; do\n    [[ $word == -* ]] && continue\n";
  text += "    case \"$path_here $word\" in\n";
  for (const auto& [path, command] : paths) {
    text += "      " + single_quoted(" " + path) + ") path_here=" + single_quoted(" " + path) + "; words_here=(" +
            words_after(*command) + ") ;;\n";
  }
  text += "    esac\n  done\n  compadd -- $words_here\n  [[ -n $path_here ]] && _files\n}\n";
  return text + "compdef _bocs bocs\n";
}

std::string man_page(const CLI::App& app) {
  std::string text = ".TH BOCS 1 \"\" \"bocs " + std::string(version()) + "\" \"User Commands\"\n";
  text += ".SH NAME\nbocs \\- optimize expensive choices\n.SH SYNOPSIS\n.B bocs\n.I COMMAND\n[OPTIONS]\n";
  text += ".SH DESCRIPTION\n" + roff_paragraphs(app.get_description());
  std::string group;
  for (const CLI::App* command : commands_of(app)) {
    const std::string own = command->get_group().empty() ? "The program itself" : command->get_group();
    if (own != group) text += ".SH " + roff(group = own) + "\n";
    text += man_of(*command, command->get_name());
  }
  text += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : kExitCodes) text += ".TP\n" + std::string(code) + "\n" + roff(meaning) + "\n";
  return text;
}

void add_completion(CLI::App& app) {
  CLI::App* command =
      add_command(app, "completion", "completion of commands and options, for bash or zsh", kAboutCompletion);
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash or zsh")->required()->check(CLI::IsMember({"bash", "zsh"}))->type_name("");
  command->callback([shell, &app] { fmt::print("{}", *shell == "bash" ? bash_completion(app) : zsh_completion(app)); });
}

void add_man(CLI::App& app) {
  add_command(app, "man", "the manual page", kAboutMan)->callback([&app] { fmt::print("{}", man_page(app)); });
}

}  // namespace bocs::cli
