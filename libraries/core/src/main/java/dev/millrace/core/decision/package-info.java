/** What an acquire is answered with. */
@NullMarked
package dev.millrace.core.decision;

import org.jspecify.annotations.NullMarked;
