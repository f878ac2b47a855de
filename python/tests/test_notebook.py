"""The example notebook runs as it is, with pandas, polars and DuckDB."""

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
for package in ("ipykernel", "pandas", "polars", "duckdb", "pyarrow"):
    pytest.importorskip(package)


def outputs_of(notebook):
    """What each cell with code shows, after a run."""
    # Imports and the first analysis alone take a minute where others build beside.
    nbclient.NotebookClient(notebook, timeout=600, startup_timeout=600).execute()
    return [
        "".join(output.get("text", "") or output["data"].get("text/html", output["data"].get("text/plain", "")) for output in cell.outputs)
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def test_the_example_notebook_makes_a_dump_where_none_is_given(fixtures, monkeypatch):
    monkeypatch.delenv("DUMP", raising=False)
    outputs = outputs_of(nbformat.read(fixtures.parent / "examples" / "notebook.ipynb", as_version=4))
    assert "<b>AKS</b>, 8 cores, 8768 events" in outputs[0]
    assert "with twice the DDR bandwidth" in outputs[4]


def test_the_example_notebook_runs(fixtures, monkeypatch):
    monkeypatch.setenv("DUMP", str(fixtures / "aks-mode2-sync" / "dump"))
    outputs = outputs_of(nbformat.read(fixtures.parent / "examples" / "notebook.ipynb", as_version=4))
    assert "<b>AKS</b>, 2 cores, 85 events" in outputs[0]
    assert all(column in outputs[1] for column in ("kernel", "total_ns", "tops"))
    assert "TIU" in outputs[2] and "GDMA" in outputs[2]
    assert "number" in outputs[3] and "bytes" in outputs[3]
    assert "with twice the DDR bandwidth" in outputs[4]
    assert outputs[5].startswith("<iframe sandbox") and 'name="tab=timeline"' in outputs[5]
