"""`bocs dashboard` as a program sees it: what the server sends, without a browser.

usage: dashboard_test.py PATH_OF_BOCS
"""

import http.client
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
import unittest
import urllib.parse

from study_support import BOCS, PATIENCE, WithFolder, bocs, json_lines, run, write_study

TOKEN = "a-token-of-the-tests-42"


class Server:
    """A dashboard that runs."""

    def __init__(self, test, *arguments, **options):
        self.process = subprocess.Popen([BOCS, "dashboard", *arguments], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, **options)
        test.addCleanup(self.process.communicate)
        test.addCleanup(self.process.kill)
        self.test = test
        url = urllib.parse.urlparse(self.process.stdout.readline().strip())
        self.address, self.port = url.netloc, url.port
        self.token = urllib.parse.parse_qs(url.fragment)["token"][0]
        self.headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}

    def request(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection(self.address, timeout=PATIENCE)
        self.test.addCleanup(connection.close)
        connection.request(method, path, body=body, headers=self.headers if headers is None else headers)
        return connection.getresponse()

    def status(self, path="/api/studies", headers=None):
        return self.request("GET", path, headers=headers).status

    def idle(self, count):
        """Connections that say nothing."""
        sockets = [socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) for _ in range(count)]
        for one in sockets:
            self.test.addCleanup(one.close)
        return sockets

    def cpu_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            user, system = file.read().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


class Dashboard(WithFolder):
    def serve(self, *arguments, **options):
        return Server(self, *arguments, **options)

    def events(self, server, study):
        """The documents of /api/live, one after the other."""
        response = server.request("GET", "/api/live?study=" + study)
        self.assertEqual(response.status, 200)
        while line := response.readline():
            yield json.loads(line)

    def act(self, server, **what):
        response = server.request("POST", "/api/act", body=json.dumps(what))
        return response.status, response.read().decode()

    def tell(self, file, bits, value):
        run("tell", file, input=json.dumps({"point": {"x": [int(c) for c in bits]}, "value": value}))

    def test_the_recommendation_under_noise_stays_fresh(self):
        file = write_study(self.path, bits=4, trials=50, method="bocs:noise=true,initial=4")
        run("create", file)
        for i in range(16):
            self.tell(file, f"{i:04b}", i)
        events = self.events(self.serve(file), "study")
        seen = [next(event["recommended"] for event in events if event.get("recommended"))]
        for value in (40, 41, 42):  # the best point so far is none
            self.tell(file, "0000", value)
            seen.append(next(e["recommended"] for e in events if e.get("recommended", seen[-1]) != seen[-1]))
        self.assertEqual(len(seen), 4)
        answer = json_lines("best", file, "--json")[0]["recommended"]
        self.assertEqual(seen[-1]["total"], answer["total"])
        self.assertEqual(seen[-1]["measurements"], answer["measurements"])
        self.assertNotEqual(seen[-1], seen[0])

    def test_the_token_comes_from_a_file_or_the_environment_and_not_from_the_command_line(self):
        file = write_study(self.path)
        run("create", file)
        secret = os.path.join(self.path, "token")
        with open(secret, "w") as out:
            out.write(TOKEN + "\n")
        os.chmod(secret, 0o644)
        self.assertIn("chmod 600", bocs("dashboard", file, "--token-file", secret).stderr)
        os.chmod(secret, 0o600)
        self.assertEqual(self.serve(file, "--token-file", secret).token, TOKEN)
        self.assertEqual(self.serve(file, env={**os.environ, "BOCS_DASHBOARD_TOKEN": TOKEN}).token, TOKEN)
        self.assertEqual(len(self.serve(file).token), 32)
        self.assertNotEqual(bocs("dashboard", file, "--token", TOKEN).returncode, 0)
        for name, text in (("none", None), ("empty", ""), ("short", "abc")):
            path = os.path.join(self.path, name)
            if text is not None:
                with open(path, "w", opener=lambda p, flags: os.open(p, flags, 0o600)) as out:
                    out.write(text)
            failed = bocs("dashboard", file, "--token-file", path)
            self.assertNotEqual(failed.returncode, 0)
            self.assertIn("token", failed.stderr)

    def test_the_token_of_the_environment_is_not_passed_to_programs(self):
        file = write_study(self.path, trials=1, command=["sh", "-c", "echo ${#BOCS_DASHBOARD_TOKEN}"])
        run("run", file, "-q", env={**os.environ, "BOCS_DASHBOARD_TOKEN": TOKEN})
        self.assertEqual(json_lines("trials", file, "--json")[0]["value"], 0)

    def test_idle_connections_keep_nobody_out(self):
        file = write_study(self.path)
        run("create", file)
        server = self.serve(file, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (500, 500)))
        idle = server.idle(200)
        for one in idle[:100]:
            one.sendall(b"GET / HTTP/1.1\r\nHost: ")
        self.assertEqual([server.status() for _ in range(6)], [200] * 6)
        idle += server.idle(200)  # more than are served at once: the oldest ones go
        self.assertEqual([server.status() for _ in range(6)], [200] * 6)
        for one in idle:  # and in a few seconds the others
            self.assertEqual(one.recv(1), b"")

    def test_viewers_keep_nobody_out(self):
        file = write_study(self.path)
        run("create", file)
        server = self.serve(file)
        streams = [self.events(server, "study") for _ in range(100)]
        for stream in streams:
            self.assertTrue(next(stream)["whole"])
        self.assertEqual([server.status() for _ in range(6)], [200] * 6)
        self.assertEqual(self.act(server, study="study", act="pause")[0], 200)
        for stream in streams:
            self.assertTrue(next(event["paused"] for event in stream if "paused" in event))

    def test_news_are_the_trials_that_changed(self):
        file = write_study(self.path, bits=4)
        run("create", file)
        left = json_lines("ask", file, "--json")[0]["number"]  # a trial that a person keeps
        for i in range(12):
            self.tell(file, f"{i:04b}", i)
        server = self.serve(file)
        events = self.events(server, "study")
        self.assertEqual(len(next(events)["trials"]["number"]), 13)
        news = (event["trials"] for event in events if "trials" in event)
        self.assertEqual(self.act(server, study="study", act="strike", trial=3, why="loose")[0], 200)
        struck = next(news)
        self.assertEqual((struck["number"], struck["state"], struck["error"]), ([3], "s", {"3": "loose"}))
        self.assertEqual(self.act(server, study="study", act="tell", trial=left, value=2.5)[0], 200)
        told = next(news)
        self.assertEqual((told["number"], told["value"]), ([left], [2.5]))
        self.assertEqual(self.act(server, study="study", act="strike", trial=3, why="again")[0], 409)

    def test_too_few_descriptors_are_no_reason_to_spin_or_to_fall_silent(self):
        file = write_study(self.path)
        run("create", file)
        server = self.serve(file, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24)))
        server.idle(30)
        before = server.cpu_seconds()
        time.sleep(2)
        self.assertLess(server.cpu_seconds() - before, 1)  # a busy loop takes all of them
        self.assertEqual([server.status() for _ in range(6)], [200] * 6)
        streams = [self.events(server, "study") for _ in range(4)]
        self.assertTrue(all(next(stream)["whole"] for stream in streams))
        server.idle(30)
        self.assertEqual([server.status() for _ in range(6)], [200] * 6)
        self.assert_ends(server)

    def test_no_memory_for_a_thread_is_survived(self):
        file = write_study(self.path)
        run("create", file)
        server = self.serve(file)
        self.assertEqual(server.status(), 200)
        with open(f"/proc/{server.process.pid}/statm") as statm:
            now = int(statm.read().split()[0]) * resource.getpagesize()
        resource.prlimit(server.process.pid, resource.RLIMIT_AS, (now + 4_000_000, resource.RLIM_INFINITY))
        self.assertEqual(list(self.events(server, "study")), [])  # a thread takes 8 MB of addresses
        self.assertEqual(server.status(), 200)
        resource.prlimit(server.process.pid, resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        self.assertTrue(next(self.events(server, "study"))["whole"])
        self.assert_ends(server)

    def test_a_study_that_is_deleted_ends_its_streams_and_says_why(self):
        file = write_study(self.path)
        run("create", file)
        server = self.serve("--store", "sqlite:" + os.path.join(self.path, "study.db"))
        events = self.events(server, "study")
        self.assertTrue(next(events)["whole"])
        run("delete", file, "--yes")
        self.assertIn("deleted", next(event["trouble"] for event in events if "trouble" in event))
        self.assertEqual(list(events), [])
        refused = server.request("GET", "/api/live?study=study")
        self.assertEqual((refused.status, "there is no study" in refused.read().decode()), (409, True))

    def assert_ends(self, server):
        server.process.send_signal(signal.SIGINT)
        server.process.wait(timeout=PATIENCE)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
