package dev.millrace.regions.ledger;

import java.util.List;

/** The rows of another region with the seals of the same snapshot. */
public record SealedRows(List<EvictionSeal> seals, TransferRows dealings) {
  /** Keeps a copy. */
  public SealedRows {
    seals = List.copyOf(seals);
  }
}
