/** The adapter for OkHttp, which charges each call. */
@NullMarked
package dev.millrace.adapters.okhttp;

import org.jspecify.annotations.NullMarked;
