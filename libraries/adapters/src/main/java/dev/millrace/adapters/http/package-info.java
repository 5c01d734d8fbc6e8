/** How limits and refusals look over HTTP, whichever server answers. */
@NullMarked
package dev.millrace.adapters.http;

import org.jspecify.annotations.NullMarked;
