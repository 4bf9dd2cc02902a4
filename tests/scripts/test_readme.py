"""What the README shows is what the program prints.

Method: the commands of its console blocks run in order in a copy of fixtures/quick-start, and must
print what stands below them. IDXFSCK_UPDATE_README=1 writes down what they print instead.
"""

import os
import re
import shutil
import subprocess

import program

README = os.path.join(program.ROOT, "README.md")
QUICK_START = os.path.join(program.ROOT, "fixtures", "quick-start")
BLOCK = re.compile(r"^```(console|toml)\n(.*?)^```$", re.M | re.S)


class Readme(program.ProgramTest):
    def run_line(self, line):
        """What a command line prints, standard error after standard output."""
        path = os.path.dirname(program.PROGRAM) + os.pathsep + os.environ["PATH"]
        done = subprocess.run(["bash", "-c", line], cwd=self.path("shop"), check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
                              env={**os.environ, "PATH": path})
        return (done.stdout + done.stderr).decode()

    def block(self, kind, text):
        """The block as it should be."""
        if kind == "toml" and 'kind = "dynamodb"' in text:
            return text  # test_dynamodb_page.py runs it
        if kind == "toml":
            return program.read_bytes(self.path("shop/shop.toml")).decode()
        commands = [line for line in text.split("\n") if line.startswith("$ ")]
        return "\n".join(f"{line}\n{self.run_line(line[2:])}" for line in commands)

    def test_the_readme_shows_what_the_program_prints(self):
        shutil.copytree(QUICK_START, self.path("shop"))
        readme = program.read_bytes(README).decode()
        self.assertEqual(7, len(BLOCK.findall(readme)))
        right = BLOCK.sub(lambda match: f"```{match[1]}\n{self.block(*match.groups())}```", readme)
        if os.environ.get("IDXFSCK_UPDATE_README"):
            with open(README, "w", encoding="utf-8") as file:
                file.write(right)
        self.assertEqual(right, program.read_bytes(README).decode())


if __name__ == "__main__":
    program.main()
