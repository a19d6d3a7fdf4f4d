"""`bocs dashboard` as a program sees it: what the server sends, without a browser.

usage: dashboard_test.py PATH_OF_BOCS
"""

import http.client
import json
import subprocess
import sys
import unittest
import urllib.parse

from study_support import BOCS, PATIENCE, WithFolder, json_lines, run, write_study


class Dashboard(WithFolder):
    def serve(self, *arguments):
        """Starts a dashboard; returns what a request needs: the address and the headers with its token."""
        process = subprocess.Popen([BOCS, "dashboard", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        url = urllib.parse.urlparse(process.stdout.readline().strip())
        token = urllib.parse.parse_qs(url.query)["token"][0]
        return url.netloc, {"Cookie": f"bocs_{url.port}={token}", "Origin": f"http://{url.netloc}",
                            "Content-Type": "application/json"}

    def events(self, server, study):
        """The documents of /api/live, one after the other."""
        connection = http.client.HTTPConnection(server[0], timeout=PATIENCE)
        self.addCleanup(connection.close)
        connection.request("GET", "/api/live?study=" + study, headers=server[1])
        response = connection.getresponse()
        while line := response.readline():
            if line.startswith(b"data: "):
                yield json.loads(line[6:])

    def act(self, server, **what):
        connection = http.client.HTTPConnection(server[0], timeout=PATIENCE)
        connection.request("POST", "/api/act", body=json.dumps(what), headers=server[1])
        response = connection.getresponse()
        return response.status, response.read().decode()

    def tell(self, file, bits, value):
        run("tell", file, input=json.dumps({"point": {"x": [int(c) for c in bits]}, "value": value}))

    def test_the_recommendation_under_noise_stays_fresh(self):
        file = write_study(self.path, bits=4, trials=50, method="bocs:noise=true,initial=4")
        run("create", file)
        for i in range(16):
            self.tell(file, f"{i:04b}", i)
        events = self.events(self.serve(file), "study")
        first = next(event for event in events if "recommended" in event)
        seen = [first["recommended"]]
        for value in (40, 41, 42):  # the best point so far is none
            self.tell(file, "0000", value)
            trials = len(json_lines("trials", file, "--json"))
            for event in events:
                if event.get("recommended") and event["trials"]["from"] + len(event["trials"]["number"]) >= trials:
                    seen.append(event["recommended"])
                    break
        self.assertEqual(len(seen), 4)
        answer = json_lines("best", file, "--json")[0]["recommended"]
        self.assertEqual(seen[-1]["total"], answer["total"])
        self.assertEqual(seen[-1]["measurements"], answer["measurements"])
        self.assertNotEqual(seen[-1], seen[0])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
