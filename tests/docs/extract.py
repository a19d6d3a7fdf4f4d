"""Takes the first C++ program of a Markdown file and the text block after it, its output, out of the file.

Usage: extract.py <Markdown file> <program to write> <output to write>
"""

import re
import sys


def main():
    source, program_file, output_file = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        blocks = re.findall(r"^```(\w+)\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
    languages = [language for language, _ in blocks]
    if "cpp" not in languages or "text" not in languages[languages.index("cpp"):]:
        sys.exit(f"{source}: needs a cpp block and, after it, a text block with its output")
    at = languages.index("cpp")
    with open(program_file, "w", encoding="utf-8") as file:
        file.write(blocks[at][1])
    with open(output_file, "w", encoding="utf-8") as file:
        file.write(blocks[languages.index("text", at)][1])


main()
