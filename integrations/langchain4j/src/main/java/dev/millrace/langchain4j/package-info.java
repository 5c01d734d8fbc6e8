/** Metered models for LangChain4j. Listeners cannot refuse a call, decorators can. */
@NullMarked
package dev.millrace.langchain4j;

import org.jspecify.annotations.NullMarked;
