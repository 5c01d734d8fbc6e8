/** The state of a bucket and the arithmetic on it. */
@NullMarked
package dev.millrace.core.spi.bucket;

import org.jspecify.annotations.NullMarked;
