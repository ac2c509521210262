"""Steps and looks that tests let begin."""

import unittest

from fake_engine import Engine, finish


class StepCase(unittest.TestCase):
    def performed(self, script, *, secrets=(), attempt=1, key="key", environment=None, **options):
        """Returns the report of a step that the engine starts, and the first message."""
        with Engine(**options) as engine:
            process = engine.start(script, environment=environment or {})
            connection = engine.accept()
            connection.go(key, attempt, secrets)
            report = connection.read()
            self.assertEqual((report.pop("run"), report.pop("entry")), (7, 0))
            result = report.get("done") or report["error"]
            connection.done(result["output"], result["status"])
            output, error, status = finish(process)
            self.assertEqual((output, status), (result["output"], result["status"]))
            self.error = error
            return report, connection.message
