package dev.millrace.admin.internal;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A part of the record of what a manifest manages.
 *
 * @param number the number of the part
 * @param version grows with every change, 0 when it was never written
 * @param marks the managed names, each with a digest of what the manifest last said about it;
 *     opaque except to the code that applies manifests
 */
public record ManagedPage(int number, long version, SortedMap<String, String> marks) {
  public ManagedPage {
    marks = Collections.unmodifiableSortedMap(new TreeMap<>(marks));
  }
}
