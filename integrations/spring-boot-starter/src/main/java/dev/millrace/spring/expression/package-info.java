/** Charges in expressions: parsed once, evaluated each time. */
@NullMarked
package dev.millrace.spring.expression;

import org.jspecify.annotations.NullMarked;
