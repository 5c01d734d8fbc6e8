/** What callers ask for. */
@NullMarked
package dev.millrace.core.request;

import org.jspecify.annotations.NullMarked;
