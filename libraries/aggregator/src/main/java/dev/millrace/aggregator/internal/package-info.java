/** The processing of records into usage and growth. Not for use by applications. */
@NullMarked
package dev.millrace.aggregator.internal;

import org.jspecify.annotations.NullMarked;
