package dev.millrace.client.internal.mirror;

/** The place of a caller that waits for tokens among the others that wait for the same bucket. */
public interface PlaceInLine {
  /** Its number in the order of arrival, from 1. */
  long number();

  /** The caller's operation is queued, or does not need to be. */
  void arrived();
}
