/** Tests against a provider over HTTP. */
@NullMarked
package dev.millrace.springai;

import org.jspecify.annotations.NullMarked;
