/** OkHttp, charged for each call. */
@NullMarked
package dev.millrace.adapters.okhttp;

import org.jspecify.annotations.NullMarked;
