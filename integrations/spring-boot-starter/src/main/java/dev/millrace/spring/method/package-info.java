/** Methods that are limited by an annotation. */
@NullMarked
package dev.millrace.spring.method;

import org.jspecify.annotations.NullMarked;
