/** The stack as CloudFormation is told of it. */
@NullMarked
package dev.millrace.deploy.template;

import org.jspecify.annotations.NullMarked;
