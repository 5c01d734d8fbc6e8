/** The annotation by which an application limits its methods. */
@NullMarked
package dev.millrace.spring;

import org.jspecify.annotations.NullMarked;
