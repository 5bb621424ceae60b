/// The version of the product; packages take their version from here too.
public enum ProductVersion { public static let current = "0.3.0" }
