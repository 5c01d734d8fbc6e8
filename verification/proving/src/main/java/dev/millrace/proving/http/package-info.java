/** A real server under load, beside the limiter in the same process. */
@NullMarked
package dev.millrace.proving.http;

import org.jspecify.annotations.NullMarked;
