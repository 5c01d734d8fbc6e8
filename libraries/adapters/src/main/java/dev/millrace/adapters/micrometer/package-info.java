/** What limiters do, as meters of Micrometer. */
@NullMarked
package dev.millrace.adapters.micrometer;

import org.jspecify.annotations.NullMarked;
