/** Where limits come from: the levels, and which of them holds for a bucket. */
@NullMarked
package dev.millrace.core.spi.config;

import org.jspecify.annotations.NullMarked;
