/** Tests against a provider over HTTP. */
@NullMarked
package dev.millrace.langchain4j;

import org.jspecify.annotations.NullMarked;
