package dev.millrace.spring.internal;

import dev.millrace.RateLimitExceededException;
import dev.millrace.spring.RateLimited;
import java.util.function.Supplier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Started by {@link BareApplicationTest} with classes of its own. */
public class BareApplication implements Supplier<String> {
  @Override
  public String get() {
    try (ConfigurableApplicationContext context =
        SpringApplication.run(
            Configuration.class, "--millrace.store=in-memory", "--spring.main.banner-mode=off")) {
      Words words = context.getBean(Words.class);
      String said = words.say("one") + " " + words.say("two") + " ";
      try {
        return said + words.say("three");
      } catch (RateLimitExceededException e) {
        return said + e.getClass().getSimpleName();
      }
    }
  }

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Configuration {
    @Bean
    Words words() {
      return new Words();
    }
  }

  static class Words {
    @RateLimited(entity = "everybody", resource = "words", limits = "words:2/day")
    public String say(String word) {
      return word;
    }
  }
}
