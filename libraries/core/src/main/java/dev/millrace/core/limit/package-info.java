/** What may be consumed and how fast it returns. */
@NullMarked
package dev.millrace.core.limit;

import org.jspecify.annotations.NullMarked;
