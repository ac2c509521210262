"""coordinatord at the end of its user manager, which ends after this test."""

import os
import subprocess
import unittest

from world import LOG, Client, ServiceTestCase, eventually, process, systemctl


class EndingTests(ServiceTestCase):
    def test_the_daemon_ends_in_order_with_the_manager_and_nothing_is_lost(self):
        log = LOG / "daemon.log"
        self.drop_in(f"StandardError=append:{log}", "ExecStart=", "ExecStart=/usr/local/bin/coordinatord --log-level info")
        client = Client()
        path = client.start("pets", "kept")
        client.send(path, "schedule-visit")
        daemon = process()
        # No manager is left that could clean up.
        self.clear = lambda: None
        systemctl("exit")
        self.assertTrue(eventually(lambda: not os.path.exists(f"/proc/{daemon}")))
        text = log.read_text()
        self.assertIn("exiting", text)
        self.assertNotIn("lost", text)
        bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--nosyslog", "--print-address=1"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True)
        self.addCleanup(bus.stdout.close)
        self.addCleanup(bus.wait)
        self.addCleanup(bus.terminate)
        self.assertEqual(Client(bus.stdout.readline().strip()).active(), ["kept"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
