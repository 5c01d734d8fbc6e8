package dev.millrace.spring.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An application that has nothing but Boot and the starter: all else is optional. */
class BareApplicationTest {
  private static final List<String> LEFT_OUT =
      List.of(
          "reactor-",
          "reactive-streams",
          "servlet",
          "tomcat-",
          "spring-web",
          "spring-test",
          "spring-boot-test",
          "spring-boot-health",
          "spring-boot-actuator",
          "micrometer-",
          "jackson-",
          "netty-");

  @Test
  void bareApplication_limitsItsMethods() throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader bare =
        new URLClassLoader(bareClassPath(), ClassLoader.getPlatformClassLoader())) {
      Thread.currentThread().setContextClassLoader(bare);
      assertThatThrownBy(() -> bare.loadClass("reactor.core.publisher.Mono"))
          .isInstanceOf(ClassNotFoundException.class);
      Supplier<?> application =
          (Supplier<?>)
              bare.loadClass("dev.millrace.spring.internal.BareApplication")
                  .getDeclaredConstructor()
                  .newInstance();

      assertThat(application.get()).isEqualTo("one two RateLimitExceededException");
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private static URL[] bareClassPath() throws Exception {
    List<URL> kept = new ArrayList<>();
    String[] all = System.getProperty("java.class.path").split(File.pathSeparator, -1);
    Stream<Path> paths = Arrays.stream(all).filter(entry -> !entry.isEmpty()).map(Path::of);
    for (Path path : paths.toList()) {
      String name = path.getFileName().toString();
      if (LEFT_OUT.stream().noneMatch(name::contains)) {
        kept.add(path.toUri().toURL());
      }
    }
    return kept.toArray(URL[]::new);
  }
}
