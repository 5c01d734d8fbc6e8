/** Tests of limited applications, without a table. */
@NullMarked
package dev.millrace.spring.test;

import org.jspecify.annotations.NullMarked;
