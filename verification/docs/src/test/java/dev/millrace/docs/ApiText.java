package dev.millrace.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericDeclaration;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The public API of a module as text: a paragraph for each type, a line for each member that others
 * can see. Two versions of it are compared by reading, or by any tool that compares lines.
 *
 * <p>Left out are packages named {@code internal} or {@code spi}, what is made by the compiler, and
 * {@code equals}, {@code hashCode} and {@code toString}, which everything has.
 */
final class ApiText {
  private static final int SHOWN =
      Modifier.PUBLIC | Modifier.PROTECTED | Modifier.STATIC | Modifier.FINAL | Modifier.ABSTRACT;
  private static final Set<String> EVERYBODYS = Set.of("equals", "hashCode", "toString");
  private static final Pattern KNOWN_PACKAGES =
      Pattern.compile("\\bjava\\.(?:lang|util|time|util\\.function|util\\.concurrent)\\.(?=[A-Z])");

  private ApiText() {}

  /** The API of {@code module}, which is on the class path. */
  static String of(String module) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String name : classNames(module)) {
      Class<?> type = load(name);
      if (isVisible(type)) {
        describe(type, text);
      }
    }
    return text.toString();
  }

  private static List<String> classNames(String module) throws IOException {
    String classes = Repository.modules().get(module) + "/target/classes";
    Path place =
        Arrays.stream(System.getProperty("java.class.path").split(":", -1))
            .filter(
                entry ->
                    entry.equals(classes) || entry.matches(".*/" + module + "-[0-9][^/]*\\.jar"))
            .map(Path::of)
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException(module + " is not on the class path"));
    if (Files.isDirectory(place)) {
      return classNamesBelow(place);
    }
    try (FileSystem jar = FileSystems.newFileSystem(place)) {
      return classNamesBelow(jar.getPath("/"));
    }
  }

  private static List<String> classNamesBelow(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(file -> root.relativize(file).toString())
          .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
          .map(file -> file.substring(0, file.length() - ".class".length()).replace('/', '.'))
          .filter(name -> !name.contains(".internal.") && !name.contains(".spi."))
          .sorted()
          .toList();
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, ApiText.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isVisible(Class<?> type) {
    if (type.isAnonymousClass() || type.isLocalClass() || type.isSynthetic()) {
      return false;
    }
    Class<?> outer = type.getDeclaringClass();
    return isVisible(type.getModifiers()) && (outer == null || isVisible(outer));
  }

  private static boolean isVisible(int modifiers) {
    return (modifiers & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
  }

  private static void describe(Class<?> type, StringBuilder text) {
    List<String> members = new ArrayList<>();
    for (Field field : type.getDeclaredFields()) {
      if (isShown(field)) {
        members.add(field(field));
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (isShown(constructor)) {
        members.add(executable(constructor, type.getSimpleName()));
      }
    }
    for (Method method : type.getDeclaredMethods()) {
      if (isShown(method) && !EVERYBODYS.contains(method.getName())) {
        members.add(
            executable(method, type(method.getGenericReturnType()) + " " + method.getName()));
      }
    }
    text.append(header(type)).append('\n');
    members.stream().sorted().forEach(member -> text.append("  ").append(member).append('\n'));
    text.append('\n');
  }

  private static boolean isShown(Member member) {
    return isVisible(member.getModifiers()) && !member.isSynthetic();
  }

  private static String header(Class<?> type) {
    String kind =
        type.isAnnotation()
            ? "@interface"
            : type.isInterface()
                ? "interface"
                : type.isRecord() ? "record" : type.isEnum() ? "enum" : "class";
    int modifiers = type.getModifiers() & SHOWN;
    if (type.isInterface() || type.isRecord() || type.isEnum()) {
      modifiers &= ~(Modifier.ABSTRACT | Modifier.STATIC | Modifier.FINAL);
    }
    StringBuilder text = new StringBuilder(Modifier.toString(modifiers)).append(' ');
    text.append(type.isSealed() ? "sealed " : "").append(kind).append(' ');
    text.append(type.getName()).append(parameters(type));
    Type parent = type.getGenericSuperclass();
    if (kind.equals("class") && parent != null && parent != Object.class) {
      text.append(" extends ").append(type(parent));
    }
    if (type.getGenericInterfaces().length > 0) {
      text.append(type.isInterface() ? " extends " : " implements ");
      text.append(types(type.getGenericInterfaces()));
    }
    if (type.isRecord()) {
      text.append(" (");
      text.append(
          Arrays.stream(type.getRecordComponents())
              .map(part -> type(part.getGenericType()) + " " + part.getName())
              .collect(Collectors.joining(", ")));
      text.append(')');
    }
    return text.toString();
  }

  private static String field(Field field) {
    String text =
        Modifier.toString(field.getModifiers() & SHOWN)
            + " "
            + type(field.getGenericType())
            + " "
            + field.getName();
    boolean constant =
        Modifier.isStatic(field.getModifiers())
            && Modifier.isFinal(field.getModifiers())
            && (field.getType().isPrimitive() || field.getType() == String.class);
    return constant ? text + " = " + value(field) : text;
  }

  /** Constants are compiled into those who use them: their values are API too. */
  private static Object value(Field field) {
    try {
      field.setAccessible(true);
      return Objects.requireNonNull(field.get(null));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String executable(Executable executable, String name) {
    String modifiers =
        executable instanceof Method method && method.isDefault()
            ? "public default"
            : Modifier.toString(executable.getModifiers() & SHOWN);
    String text =
        "%s %s%s(%s)"
            .formatted(
                modifiers,
                parameters(executable).isEmpty() ? "" : parameters(executable) + " ",
                name,
                types(executable.getGenericParameterTypes()));
    return executable.getGenericExceptionTypes().length == 0
        ? text
        : text + " throws " + types(executable.getGenericExceptionTypes());
  }

  private static String parameters(GenericDeclaration declaration) {
    TypeVariable<?>[] variables = declaration.getTypeParameters();
    if (variables.length == 0) {
      return "";
    }
    return Arrays.stream(variables)
        .map(
            variable ->
                variable.getBounds().length == 1 && variable.getBounds()[0] == Object.class
                    ? variable.getName()
                    : variable.getName()
                        + " extends "
                        + Arrays.stream(variable.getBounds())
                            .map(ApiText::type)
                            .collect(Collectors.joining(" & ")))
        .collect(Collectors.joining(", ", "<", ">"));
  }

  private static String types(Type[] types) {
    return Arrays.stream(types).map(ApiText::type).collect(Collectors.joining(", "));
  }

  private static String type(Type type) {
    return KNOWN_PACKAGES.matcher(type.getTypeName()).replaceAll("");
  }

  /** The text that is kept, empty when none is. */
  static String kept(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
