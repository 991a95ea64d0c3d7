public enum SchemaTemplates {}
