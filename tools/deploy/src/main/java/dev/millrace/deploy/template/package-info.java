/** The CloudFormation template of the stack. */
@NullMarked
package dev.millrace.deploy.template;

import org.jspecify.annotations.NullMarked;
