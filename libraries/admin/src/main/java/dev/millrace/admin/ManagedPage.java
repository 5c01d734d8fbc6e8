package dev.millrace.admin;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A part of what a manifest manages.
 *
 * @param number which part
 * @param version grows with every change, 0 when it was never written
 * @param marks what is managed, and what the manifest last said about it in short; only whoever
 *     applies manifests knows what they mean
 */
public record ManagedPage(int number, long version, SortedMap<String, String> marks) {
  /** Keeps a copy of the marks. */
  public ManagedPage {
    marks = Collections.unmodifiableSortedMap(new TreeMap<>(marks));
  }
}
