/** The annotation, the properties and the beans by which an application sets its limits. */
@NullMarked
package dev.millrace.spring;

import org.jspecify.annotations.NullMarked;
