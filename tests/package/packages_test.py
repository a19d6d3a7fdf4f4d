"""What scripts/package makes: each package declares all it needs, and works where there is nothing else.

Usage: packages_test.py quick BUILD WORK         packs the build folder as it stands and looks into the Debian packages
       packages_test.py whole BUILD WORK CXX     runs scripts/package deb tar; then an empty root with the Debian package and
                                                 what it depends on, a program built with libbocs-dev, an empty root with
                                                 the static program
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = 77


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command}\nended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def project_version():
    return re.search(r"^project\(bocs VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]


def field(package, name):
    return run("dpkg-deb", "-f", package, name).strip()


def names(depends):
    return {entry.split()[0] for entry in depends.split(",") if entry.strip()}


def unpack(packages, folder):
    folder.mkdir(parents=True)
    for package in packages:
        run("dpkg", "-x", package, folder)


def library_owners(program):
    """The Debian packages of the libraries that a program loads here."""
    owners = set()
    for path in re.findall(r"=> (/\S+)", run("ldd", program)):
        found = [c for c in (path, os.path.realpath(path), path.removeprefix("/usr")) if _owner(c)]
        assert found, f"{path} is of no package"
        owners.add(_owner(found[0]))
    return owners


def _owner(path):
    done = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True)
    return done.stdout.split(":")[0] if done.returncode == 0 else None


def look_into(program_package, library_package, work):
    """What both kinds of test want of the two packages."""
    for package, name in ((program_package, "bocs"), (library_package, "libbocs-dev")):
        assert field(package, "Package") == name
        assert field(package, "Version") == project_version(), field(package, "Version")
        assert field(package, "Maintainer") and field(package, "Description")
        assert not re.search("blas|lapack", field(package, "Depends"))
    unpack([program_package], work / "program")
    unpack([library_package], work / "library")
    program = work / "program/usr/bin/bocs"
    assert run(program, "--version").startswith(f"bocs {project_version()}")
    missing = library_owners(program) - names(field(program_package, "Depends"))
    assert not missing, f"the program loads libraries of {missing}, which it does not depend on"
    for file in ("doc/bocs/copyright", "man/man1/bocs.1", "bash-completion/completions/bocs"):
        assert (work / "program/usr/share" / file).exists(), file
    assert not list((work / "program").rglob("*.hpp"))
    assert (work / "library/usr/include/bocs/bocs.hpp").exists() and not (work / "library/usr/bin").exists()
    assert list((work / "library/usr/lib").rglob("libbocs.a")) and list((work / "library/usr/lib").rglob("bocsConfig.cmake"))


def quick(build, work):
    run("cpack", "--config", build / "CPackConfig.cmake", "-B", work / "packages")
    (program,) = (work / "packages").glob("bocs_*.deb")
    (library,) = (work / "packages").glob("libbocs-dev_*.deb")
    look_into(program, library, work)


def in_root(root, *command):
    return run("unshare", "--mount", "chroot", root, *command, env={"PATH": "/usr/bin:/bin", "HOME": "/"})


def solve_something(root, program):
    assert in_root(root, program, "--version").startswith(f"bocs {project_version()}")
    printed = in_root(root, program, "solve", "bqp:d=8", "--trials", "25", "--json")
    assert '"best"' in printed or '"value"' in printed, printed


def debian_root(package, work):
    """An empty root with the package, its dependencies as apt resolves them where nothing is installed, and a shell."""
    archives, status = work / "archives", work / "status"
    (archives / "partial").mkdir(parents=True)
    status.touch()
    run("apt-get", "-y", "-q", "--download-only", "--no-install-recommends", "-o", f"Dir::State::status={status}", "-o",
        f"Dir::Cache::archives={archives}", "-o", "APT::Sandbox::User=root", "install", package, "dash")
    root = work / "root"
    root.mkdir()
    for folder in ("usr/bin", "usr/lib", "usr/lib64", "usr/sbin"):
        (root / folder).mkdir(parents=True)
    for link in ("bin", "lib", "lib64", "sbin"):  # as Debian has them
        (root / link).symlink_to(f"usr/{link}")
    for archive in [*archives.glob("*.deb"), package]:
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", archive], stdout=subprocess.PIPE) as tar:
            run("tar", "-x", "--keep-directory-symlink", "-C", root, stdin=tar.stdout)
    (root / "dev").mkdir(exist_ok=True)
    run("mknod", "-m", "666", root / "dev/null", "c", "1", "3")
    (root / "srv").mkdir(exist_ok=True)
    return root


def whole(build, work, compiler):
    if os.geteuid() != 0:
        print("needs root, to enter an empty root")
        sys.exit(SKIPPED)
    run(ROOT / "scripts/package", "deb", "tar")
    version = project_version()
    architecture = run("dpkg", "--print-architecture").strip()
    program = ROOT / f"dist/bocs_{version}_{architecture}.deb"
    library = ROOT / f"dist/libbocs-dev_{version}_{architecture}.deb"
    look_into(program, library, work)

    root = debian_root(program, work)
    solve_something(root, "/usr/bin/bocs")
    in_root(root, "/usr/bin/bocs", "init", "/srv/study.toml")  # its objective is a shell's
    in_root(root, "/usr/bin/bocs", "run", "/srv/study.toml")
    assert "value" in in_root(root, "/usr/bin/bocs", "best", "/srv/study.toml", "--json")

    prefix = work / "library/usr"
    run(sys.executable, ROOT / "tests/docs/extract.py", ROOT / "README.md", work / "readme.cpp", work / "readme.txt")
    run("cmake", "-S", ROOT / "tests/package/consumer", "-B", work / "consumer", "-G", "Ninja", "-D",
        f"CMAKE_PREFIX_PATH={prefix}", "-D", f"README_PROGRAM={work}/readme.cpp", "-D", f"CMAKE_CXX_COMPILER={compiler}")
    run("cmake", "--build", work / "consumer")
    assert run(work / "consumer/readme") == (work / "readme.txt").read_text()

    name = f"bocs-{version}-linux-{os.uname().machine}"
    alone = work / "alone"
    alone.mkdir()
    run("tar", "-xzf", ROOT / f"dist/{name}.tar.gz", "-C", alone)
    assert "NEEDED" not in run("readelf", "-d", alone / name / "bin/bocs")
    solve_something(alone, f"/{name}/bin/bocs")  # no C library, no shell, no /tmp
    refused = subprocess.run(["unshare", "--mount", "chroot", alone, f"/{name}/bin/bocs", "studies", "--store",
                              "postgresql://nobody@localhost/none"], capture_output=True, text=True)
    assert refused.returncode != 0 and "PostgreSQL" in refused.stderr, refused


def main():
    kind, build, work = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    if kind == "quick":
        quick(build, work)
    else:
        whole(build, work, sys.argv[4])


main()
