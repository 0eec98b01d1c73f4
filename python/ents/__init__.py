"""Electricity network time series as data frames: the ents command, called from Python.

>>> import ents
>>> prices = ents.read("market NEM -m price -i 1h --last 7d")
"""

from __future__ import annotations

import datetime
import io
import json
import os
import re
import shlex
import subprocess
import sys
import warnings
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Iterator, Literal, Sequence, overload

from .launcher import command as _start

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

__all__ = ["Error", "read", "run"]


class Error(Exception):
    """What ents could not do, and what to do next.

    kind: usage, authentication, refused, unavailable, output, incomplete, bug or stopped.
    exit_code: that of the command. message, next_step (or None): text.
    details: all that the command said, such as flag, value, allowed, did_you_mean, resume.
    """

    def __init__(self, exit_code: int, details: dict[str, Any]) -> None:
        super().__init__(exit_code, details)
        self.exit_code = exit_code
        self.details = details
        self.kind: str = details.get("kind", "stopped")
        self.message: str = details["message"]
        self.next_step: str | None = details.get("next_step")

    def __str__(self) -> str:
        return "\n".join(filter(None, (self.message, self.next_step)))


@overload
def read(command: str | Sequence[str], to: Literal["pandas"] = "pandas") -> pandas.DataFrame: ...
@overload
def read(command: str | Sequence[str], to: Literal["polars"]) -> polars.DataFrame: ...
@overload
def read(command: str | Sequence[str], to: Literal["pyarrow"]) -> pyarrow.Table: ...
def read(command: str | Sequence[str], to: str = "pandas") -> Any:
    """The rows that a command prints, as a table of pandas, polars or pyarrow.

    command: what follows "ents" in a shell, as one text or as a list of words.

    Columns of series: timestamp, the start of the interval as an instant (pandas: in the UTC offset
    of timestamp_local if it has only one, else in UTC); timestamp_local, the same on the clock of the
    network or of --time-zone; network, metric, unit (MW, MWh, $/MWh, t, ...), labels such as region;
    and value, a float in that unit, missing where the service has null. --pivot makes columns of a label.

    Notes of the command are warnings; what fails is an Error. Ctrl-C interrupts it.
    """
    if to not in ("pandas", "polars", "pyarrow"):
        raise ValueError(f'to="{to}": use "pandas", "polars" or "pyarrow"')
    library = __import__(to)
    is_arrow = to != "pandas" or find_spec("pyarrow") is not None
    words = _split(command)
    for word in words:
        if re.match("-o|-f|--(output|format|update|follow|time-format|null|no-header)(=|$)", word):
            raise ValueError(f"read() takes no {word}: it returns rows; run() writes files")
    data = io.BytesIO(_call([*words, "--format", "arrow" if is_arrow else "csv"]))
    if to == "polars":
        return library.read_ipc(data)
    if not is_arrow:
        return _type(_read_csv(data, library), library)
    from pyarrow import ipc

    table = ipc.open_file(data).read_all()
    return table if to == "pyarrow" else _type(table.to_pandas(date_as_object=False), library)


def run(command: str | Sequence[str]) -> None:
    """Does what a shell would do with a command; in a notebook its output is that of the cell.

    An exit code that is not 0 is an Error.
    """
    in_notebook = sys.stdout is not sys.__stdout__
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT} if in_notebook else {}
    with subprocess.Popen([*_start(), *_split(command)], **pipes) as process, _interrupting(process):
        for line in process.stdout or ():
            sys.stdout.write(line.decode(errors="replace"))
        code = process.wait()
    if code != 0:
        raise Error(code, {"message": f"ents ended with exit code {code}; its message is above"})


def _split(command: str | Sequence[str]) -> list[str]:
    words = shlex.split(command) if isinstance(command, str) else list(command)
    return words[1:] if words[:1] == ["ents"] else words


def _call(words: list[str]) -> bytes:
    pipe, environment = subprocess.PIPE, {**os.environ, "ENTS_ERRORS": "json"}
    process = subprocess.Popen(
        [*_start(), *words], stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, env=environment
    )
    with process, _interrupting(process):
        output, lines = process.communicate()
    said = [json.loads(line) for line in lines.decode(errors="replace").splitlines() if line.startswith("{")]
    for message in said:
        if message["kind"] in ("note", "warning"):
            warnings.warn(message["message"], stacklevel=3)
    if process.returncode != 0:
        unknown = {"message": lines.decode(errors="replace") or f"ents ended with {process.returncode}"}
        raise Error(process.returncode, next((each for each in said if "exit_code" in each), unknown))
    return output


@contextmanager
def _interrupting(process: subprocess.Popen[bytes]) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        # A terminal interrupts ents, too, which then tidies up by itself. Others may not.
        try:
            process.wait(1)
        except subprocess.TimeoutExpired:
            process.terminate()
        raise


def _read_csv(data: io.BytesIO, pandas: Any) -> Any:
    frame = pandas.read_csv(data, keep_default_na=False, na_values=[""], float_precision="round_trip")
    if "timestamp" in frame:
        frame.insert(1, "timestamp_local", pandas.to_datetime(frame["timestamp"].str[:19]))
    return frame


def _type(frame: Any, pandas: Any) -> Any:
    """The same types from Arrow and from CSV: floats, texts, dates, and instants in one UTC offset if there is one."""
    for name, column in list(frame.items()):
        first = str(next(iter(column.dropna()), ""))
        if isinstance(column.dtype, pandas.CategoricalDtype):
            column = column.astype(column.cat.categories.dtype)
        if pandas.api.types.is_integer_dtype(column):
            column = column.astype(float)
        elif re.match(r"\d{4}-\d\d-\d\d($|T)", first):
            column = pandas.to_datetime(column, utc="T" in first)
        frame[name] = column
    if "timestamp_local" in frame:
        offsets = (frame.timestamp_local - frame.timestamp.dt.tz_localize(None)).dropna().unique()
        for name in frame.select_dtypes("datetimetz") if len(offsets) == 1 else ():
            frame[name] = frame[name].dt.tz_convert(datetime.timezone(pandas.Timedelta(offsets[0]).to_pytimedelta()))
    return frame
