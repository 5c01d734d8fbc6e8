/** The five exceptions, each a static message with its attributes. */
@NullMarked
package dev.millrace.core.error;

import org.jspecify.annotations.NullMarked;
