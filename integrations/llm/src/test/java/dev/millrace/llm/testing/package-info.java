/** A provider for tests, which bills what it did. Other modules' tests call it too. */
@NullMarked
package dev.millrace.llm.testing;

import org.jspecify.annotations.NullMarked;
