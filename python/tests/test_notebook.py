"""The example notebook runs as it is, with pandas, polars and DuckDB."""

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
for package in ("ipykernel", "pandas", "polars", "duckdb", "pyarrow"):
    pytest.importorskip(package)


def test_the_example_notebook_runs(fixtures, monkeypatch):
    dump = fixtures / "aks-mode2-sync" / "dump"
    monkeypatch.setenv("DUMP", str(dump))
    notebook = nbformat.read(fixtures.parent / "examples" / "notebook.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=120).execute()
    outputs = [
        "".join(output.get("text", "") or output["data"].get("text/html", output["data"].get("text/plain", "")) for output in cell.outputs)
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]
    assert "<b>AKS</b>, 2 cores, 85 events" in outputs[0]
    assert all(column in outputs[1] for column in ("kernel", "total_ns", "tops"))
    assert "TIU" in outputs[2] and "GDMA" in outputs[2]
    assert "number" in outputs[3] and "bytes" in outputs[3]
    assert "with twice the DDR bandwidth" in outputs[4]
    assert outputs[5].startswith("<iframe sandbox") and 'name="tab=timeline"' in outputs[5]
