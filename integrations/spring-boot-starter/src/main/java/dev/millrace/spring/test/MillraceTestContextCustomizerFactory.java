package dev.millrace.spring.test;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.TestPropertySourceUtils;

/** A factory that keeps buckets in memory for tests that are a {@link MillraceTest}. */
final class MillraceTestContextCustomizerFactory implements ContextCustomizerFactory {
  @Override
  public @Nullable ContextCustomizer createContextCustomizer(
      Class<?> test, List<ContextConfigurationAttributes> attributes) {
    return TestContextAnnotationUtils.hasAnnotation(test, MillraceTest.class)
        ? new InMemory()
        : null;
  }

  /** A record, because contexts are cached by their customizers. */
  private record InMemory() implements ContextCustomizer {
    @Override
    public void customizeContext(
        ConfigurableApplicationContext context, MergedContextConfiguration merged) {
      TestPropertySourceUtils.addInlinedPropertiesToEnvironment(
          context, "millrace.enabled=true", "millrace.store=in-memory");
    }
  }
}
