package dev.millrace.regions.snapshot;

import java.io.IOException;

/** A signal that ends the reading of a snapshot; becomes a value before it leaves the package. */
final class SnapshotRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final SnapshotRefusal refusal;

  SnapshotRefusedException(SnapshotRefusal refusal, String message) {
    super(message);
    this.refusal = refusal;
  }

  SnapshotRefusal refusal() {
    return refusal;
  }
}
