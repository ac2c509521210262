"""Flows that are scripts: asked from top to bottom, and run again with the recorded answers.

`coordinator.flow` declares such a flow, `coordinator.serve` serves it to `coordinator-scripts`, and
`coordinator.testing.play` plays it. `engine` is the engine of `coordinator-scripts` as a pure value.
"""
