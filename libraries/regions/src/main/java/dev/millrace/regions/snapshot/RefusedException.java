package dev.millrace.regions.snapshot;

import java.io.IOException;

/** A signal that ends the reading of a snapshot; becomes a value before it leaves the package. */
final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final Refusal refusal;

  RefusedException(Refusal refusal, String message) {
    super(message);
    this.refusal = refusal;
  }

  Refusal refusal() {
    return refusal;
  }
}
