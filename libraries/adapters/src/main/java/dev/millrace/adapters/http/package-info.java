/** The HTTP form of limits and refusals, for every server. */
@NullMarked
package dev.millrace.adapters.http;

import org.jspecify.annotations.NullMarked;
