package dev.millrace.spring.test;

import dev.millrace.spring.internal.MillraceAutoConfiguration;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of limited code without a table: buckets are in memory, whatever the properties say.
 *
 * <p>Alone it is a slice: a context of the limiter and of the test's own beans. Beside
 * {@code @SpringBootTest} or a slice of Boot it adds the limiter in memory to that. In both, {@link
 * TestLedger} has the charged amounts, and a {@link dev.millrace.testkit.ManualClock} bean stops
 * the time.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(SpringExtension.class)
@ImportAutoConfiguration({MillraceAutoConfiguration.class, LedgerAutoConfiguration.class})
public @interface MillraceTest {}
