/** How records become usage and growth. Not for use from outside. */
@NullMarked
package dev.millrace.aggregator.internal;

import org.jspecify.annotations.NullMarked;
