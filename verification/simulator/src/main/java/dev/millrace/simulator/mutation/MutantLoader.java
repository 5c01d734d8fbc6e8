package dev.millrace.simulator.mutation;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Loads the whole project once more, with the classes of a mutant in place of the real ones. All
 * other libraries are shared. The bytes of the real classes come from the parent, so that it does
 * not matter whether the class path consists of directories or of archives.
 */
final class MutantLoader extends ClassLoader {
  private static final String PROJECT = "dev.millrace.";

  private final Path classes;
  private final ClassLoader parent;

  /** A loader that looks into {@code classes} first. */
  MutantLoader(Path classes, ClassLoader parent) {
    super(parent);
    this.classes = classes;
    this.parent = parent;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PROJECT)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    Path changed = classes.resolve(file);
    try (InputStream in =
        Files.exists(changed) ? Files.newInputStream(changed) : parent.getResourceAsStream(file)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
