/**
 * The interface between the limiter, its stores and the administration. Unstable: it may change in
 * any release.
 */
@NullMarked
package dev.millrace.core.spi;

import org.jspecify.annotations.NullMarked;
