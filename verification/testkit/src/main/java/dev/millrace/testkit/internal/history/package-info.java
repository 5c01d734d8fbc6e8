/**
 * Histories of what callers asked and were answered at the same time, and whether some order of
 * them, one after the other, explains every answer.
 */
@NullMarked
package dev.millrace.testkit.internal.history;

import org.jspecify.annotations.NullMarked;
