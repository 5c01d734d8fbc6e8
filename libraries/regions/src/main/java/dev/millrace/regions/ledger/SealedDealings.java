package dev.millrace.regions.ledger;

import java.util.List;

/** The rows of another region, and the seals that were in the same snapshot. */
public record SealedDealings(List<Seal> seals, Dealings dealings) {
  /** Keeps a copy. */
  public SealedDealings {
    seals = List.copyOf(seals);
  }
}
