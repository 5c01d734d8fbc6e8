/** What an application writes to be limited. */
@NullMarked
package dev.millrace.spring;

import org.jspecify.annotations.NullMarked;
